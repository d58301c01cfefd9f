// Formats untrusted text for messages: short, on one line, without control characters.

/** Text from a file or the command line, in quotes. */
export function quote(text: string, longest = 60): string {
  return JSON.stringify(clean(text, longest)).replaceAll('\\"', "'");
}

/** Like quote, without the quotes. */
export function clean(text: string, longest = 60): string {
  const short = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  // Control characters, and those that change text direction.
  return short.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�');
}

/** "1 row", "2 rows", "1,234 rows". */
export function count(number: number, what: string, many = `${what}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? what : many}`;
}

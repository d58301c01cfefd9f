// Values of JSON. Integers beyond 2^53, such as identities, become bigints: JSON.parse alone would round them.

/** Marks a text that was such an integer. */
const MARK = '\ue000';
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** What Python and JavaScript write that is not JSON, beside strings. */
const FOREIGN = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;
const WORDS: Readonly<Record<string, string>> = { NaN: 'null', Infinity: '1e999', '-Infinity': '-1e999' };
const MAY_BE_LONG = /\d{16}/;
const LONG = /^-?\d{16,20}$/;

/** Parses JSON; throws a SyntaxError where it is none. */
export function parseJson(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  try {
    return parseNumbers(json);
  } catch (error) {
    if (!/NaN|Infinity/.test(json)) throw error;
    return parseNumbers(json.replace(FOREIGN, (token) => (token.startsWith('"') ? token : (WORDS[token] as string))));
  }
}

function parseNumbers(json: string): unknown {
  if (!MAY_BE_LONG.test(json)) return JSON.parse(json);
  let isMarked = false;
  const marked = json.replace(TOKENS, (token) => {
    if (!LONG.test(token) || Number.isSafeInteger(Number(token))) return token;
    isMarked = true;
    return `"${MARK}${token}"`;
  });
  if (!isMarked) return JSON.parse(json);
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) && LONG.test(value.slice(1)) ? BigInt(value.slice(1)) : value,
  );
}

/** The entries of an object, whatever its keys are called. */
export function entriesOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value));
}

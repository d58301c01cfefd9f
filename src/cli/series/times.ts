// Recognizes time columns by name.

const NAMES = /^(time|timestamp|datetime|date|when|epoch|ts|unix ?time)([ _-]?(s|sec|ms|us|ns|utc|local))?$/i;

/** Whether a column of this name contains times, even as plain numbers. */
export function isNameOfTime(name: string): boolean {
  return NAMES.test(name.trim());
}

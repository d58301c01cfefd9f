// Options of the command line. Each command declares its options in a table, from which both the help text and the
// parser are made. A misspelt option is refused with a suggestion.

import { parseArgs } from 'node:util';
import { closest } from '../core/closest.js';
import { quote, UsageError } from './errors.js';

export interface OptionSpec {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in the help text; options without one are switches. */
  readonly value?: string;
  readonly help: string;
}

/** The values given on a command line; each is checked when it is read. */
export class Arguments {
  readonly positionals: readonly string[];
  readonly #values: ReadonlyMap<string, string | true>;

  constructor(args: readonly string[], options: readonly OptionSpec[], command: string) {
    const { tokens } = parseArgs({
      args: [...args],
      options: Object.fromEntries(
        options.map(({ name, short, value }) => [
          name,
          { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
        ]),
      ),
      strict: false,
      allowPositionals: true,
      tokens: true,
    });
    const values = new Map<string, string | true>();
    const positionals: string[] = [];
    for (const token of tokens) {
      if (token.kind === 'positional') positionals.push(token.value);
      if (token.kind !== 'option') continue;
      const spec = options.find(({ name }) => name === token.name);
      if (spec === undefined) throw unknownOption(token.rawName, options, command);
      if (spec.value === undefined && token.value !== undefined)
        throw new UsageError(`${token.rawName} takes no value, got ${quote(token.value)}`);
      // "--out -q" is a forgotten value; "--out=-q" would mean it.
      const isOption = token.inlineValue === false && /^-[^\d.]/.test(token.value);
      if (spec.value !== undefined && (token.value === undefined || token.value === '' || isOption))
        throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${spec.value}`);
      values.set(spec.name, token.value ?? true);
    }
    this.#values = values;
    this.positionals = positionals;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.#values.has(name);
  }

  /** Names separated by commas; a comma within a name is written twice. */
  list(name: string): string[] | undefined {
    return this.text(name)
      ?.split(/(?<!,),(?!,)/)
      .map((part) => part.replaceAll(',,', ',').trim())
      .filter((part) => part !== '');
  }

  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    const choice = allowed.find((name) => name.toLowerCase() === value?.toLowerCase());
    if (value === undefined || choice !== undefined) return choice;
    const meant = closest(value, allowed);
    throw new UsageError(
      `--${name} must be one of ${allowed.join(', ')}, got ${quote(value)}${meant ? `: did you mean ${meant}?` : ''}`,
    );
  }

  number(name: string, rule: string, isRight: (value: number) => boolean): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() !== '' && Number.isFinite(value) && isRight(value)) return value;
    throw new UsageError(`--${name} must be ${rule}, got ${quote(text)}`);
  }

  wholeNumber(name: string, least: number): number | undefined {
    const isRight = (value: number) => Number.isSafeInteger(value) && value >= least && value < 2 ** 32;
    return this.number(name, `a whole number of at least ${least}`, isRight);
  }
}

function unknownOption(name: string, options: readonly OptionSpec[], command: string): UsageError {
  const meant = closest(
    name.replace(/^-+/, ''),
    options.map((option) => option.name),
  );
  const hint = meant === undefined ? `curvad ${command} --help lists them` : `did you mean --${meant}?`;
  return new UsageError(`${command} has no option ${quote(name)}: ${hint}`);
}

export function readSources(folder: string): Record<string, string>;
export function contractOf(sources: Record<string, string>): string;

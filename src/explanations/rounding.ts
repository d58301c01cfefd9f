// Numbers for people: as few decimals as do.

/** The decimals of the largest power of ten that is not above a step; negative for whole tens, hundreds, … */
export function decimalsOf(step: number): number {
  return -Math.floor(Math.log10(step));
}

/** A number with so many decimals at most, rounded to the nearest, down or up; as it is where that cannot be. */
export function rounded(value: number, decimals: number, round: (value: number) => number = Math.round): number {
  if (Math.abs(decimals) > 300) return value;
  const power = 10 ** Math.abs(decimals);
  const result = decimals > 0 ? round(value * power) / power : round(value / power) * power;
  return Number.isFinite(result) && Math.abs(value) < 2 ** 52 * Math.max(1, power) ? result + 0 : value;
}

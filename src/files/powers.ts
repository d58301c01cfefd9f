// Powers of ten that no double holds exactly, each as the sum of two doubles: off by less than 2⁻¹⁰⁵ of itself.

/** The largest power and, below 0, the smallest whose second double keeps all its digits. */
export const MOST_POWER = 270;

const highs = new Float64Array(2 * MOST_POWER + 1);
const lows = new Float64Array(2 * MOST_POWER + 1);

/** 10ᵖ, correctly rounded. */
export function highOfPower(power: number): number {
  const at = power + MOST_POWER;
  if (highs[at] === 0) {
    highs[at] = Number(`1e${power}`);
    lows[at] = missing(power, highs[at] as number);
  }
  return highs[at] as number;
}

/** What is missing of it; only after `highOfPower`. */
export function lowOfPower(power: number): number {
  return lows[power + MOST_POWER] as number;
}

function missing(power: number, high: number): number {
  if (power >= 0) return Number(10n ** BigInt(power) - BigInt(high));
  // high = mantissa / 2ˢ, so 10ᵖ − high = (2ˢ − mantissa · 10⁻ᵖ) / (2ˢ · 10⁻ᵖ).
  const shift = 52 - Math.floor(Math.log2(high));
  const mantissa = BigInt(high * 2 ** shift);
  const divisor = 10n ** BigInt(-power);
  return Number((1n << BigInt(shift)) - mantissa * divisor) / Number(divisor) / 2 ** shift;
}

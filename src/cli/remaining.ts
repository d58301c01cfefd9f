// How long work will still take. Its parts do not all go on at the same speed (some on all threads, some on one), so it
// is told from the speed of late and not from that since the beginning.

/** Of the time so far, how much counts as late; at least so many seconds. */
const LATE = 0.4;
const LEAST_SECONDS = 1;
/** Reports that are kept. */
const MOST_KEPT = 512;

export class Remaining {
  readonly #times: number[] = [0];
  readonly #shares: number[] = [0];

  /** After so many seconds, so much is done: from 0 to 1. */
  note(seconds: number, share: number): void {
    const last = this.#shares.length - 1;
    if (share < (this.#shares[last] as number)) return;
    // What follows at once replaces what was told before, so that long work needs no more room than short.
    const isClose = last > 0 && seconds - (this.#times[last - 1] as number) < seconds / MOST_KEPT;
    this.#times[isClose ? last : last + 1] = seconds;
    this.#shares[isClose ? last : last + 1] = share;
    if (this.#times.length > 2 * MOST_KEPT) {
      this.#times.splice(0, MOST_KEPT);
      this.#shares.splice(0, MOST_KEPT);
    }
  }

  /** Seconds that are left; undefined where that cannot be told yet. */
  after(seconds: number): number | undefined {
    const since = seconds - Math.max(LEAST_SECONDS, LATE * seconds);
    let first = this.#times.length - 1;
    while (first > 0 && (this.#times[first] as number) > since) first--;
    const share = this.#shares[this.#shares.length - 1] as number;
    const gained = share - (this.#shares[first] as number);
    if (gained <= 0 || share <= 0.01) return undefined;
    return ((1 - share) * (seconds - (this.#times[first] as number))) / gained;
  }
}

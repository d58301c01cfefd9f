// Estimates the time left. Parts of the work run at different speeds (some on all threads, some on one), so the estimate
// uses the recent speed, not the average.

/** Share of the elapsed time that counts as recent, and its least length in seconds. */
const LATE = 0.4;
const LEAST_SECONDS = 1;
/** Number of reports kept. */
const MOST_KEPT = 512;

export class Remaining {
  readonly #times: number[] = [0];
  readonly #shares: number[] = [0];

  /** A progress report: seconds, and the share done from 0 to 1. */
  note(seconds: number, share: number): void {
    const last = this.#shares.length - 1;
    if (share < (this.#shares[last] as number)) return;
    // Reports in quick succession replace each other, so that memory stays bounded.
    const isClose = last > 0 && seconds - (this.#times[last - 1] as number) < seconds / MOST_KEPT;
    this.#times[isClose ? last : last + 1] = seconds;
    this.#shares[isClose ? last : last + 1] = share;
    if (this.#times.length > 2 * MOST_KEPT) {
      this.#times.splice(0, MOST_KEPT);
      this.#shares.splice(0, MOST_KEPT);
    }
  }

  /** Seconds left; undefined if unknown yet. */
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

// Tests that make promises about time.

/**
 * Options of a test that something happens within milliseconds, or does not hold up the event loop. Nobody can
 * keep such a promise while another process has the cores, so these tests, and no others, may try again: in all
 * others a failure that comes and goes is a fault to be found.
 */
export const ABOUT_TIME = { retry: 2 } as const;

// What the page is doing, and what it can do next: the one place that says which event leads where.

export type Phase =
  /** No data yet. */
  | 'empty'
  /** A file is read, or a set is made. */
  | 'reading'
  /** Data without scores, as fitting was cancelled or failed. */
  | 'unfitted'
  | 'fitting'
  /** Scores are on the page. */
  | 'ready'
  /** Points are under the hand: scores follow. */
  | 'drawing';

export type PhaseEvent = 'read' | 'kept' | 'fit' | 'fitted' | 'failed' | 'draw';

const NEXT: Readonly<Record<Phase, Partial<Readonly<Record<PhaseEvent, Phase>>>>> = {
  empty: { read: 'reading' },
  reading: { read: 'reading', fit: 'fitting', failed: 'empty', kept: 'ready' },
  unfitted: { read: 'reading', fit: 'fitting', draw: 'drawing' },
  fitting: { read: 'reading', fit: 'fitting', fitted: 'ready', failed: 'unfitted', draw: 'drawing' },
  ready: { read: 'reading', fit: 'fitting', draw: 'drawing' },
  drawing: { read: 'reading', fit: 'fitting', fitted: 'ready', draw: 'drawing' },
};

/** The phase after an event; the same where the event means nothing in it. */
export const after = (phase: Phase, event: PhaseEvent): Phase => NEXT[phase][event] ?? phase;

// What the engine does for each call.
import { compare } from './compare.js';
import { draw, generate, open, use } from './data-calls.js';
import { explainRow } from './explain.js';
import { fit } from './fit.js';
import { landscapeOf } from './landscape.js';
import { half, live } from './live.js';
import { followPath } from './path.js';
import type { CallName, ReplyOf, RequestOf } from './protocol.js';
import { selectPrototypes } from './prototypes.js';
import { saveModel, saveScores, saveTable } from './save.js';
import type { Context, Session } from './session.js';
import { advance, startStream } from './stream.js';
import { cellsOf, columnOf, coordinatesOf } from './views.js';

type Handler<Name extends CallName> = (
  session: Session,
  request: RequestOf<Name>,
  context: Context,
) => ReplyOf<Name> | Promise<ReplyOf<Name>>;

export const HANDLERS: { readonly [Name in CallName]: Handler<Name> } = {
  generate,
  open,
  draw,
  use,
  fit,
  live,
  half,
  coordinates: coordinatesOf,
  column: columnOf,
  landscape: landscapeOf,
  explain: explainRow,
  path: followPath,
  cells: cellsOf,
  prototypes: selectPrototypes,
  compare,
  model: saveModel,
  scores: saveScores,
  table: saveTable,
  stream: startStream,
  advance,
};

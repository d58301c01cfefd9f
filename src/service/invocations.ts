// MLflow's protocol: /invocations with inputs, instances, dataframe_split or dataframe_records.
import { HttpError } from './http-error.js';
import { fromColumns, fromRows, fromSplit, isObject, listOf, objectOf, type Plain } from './rows.js';
import type { Scored, ServedModel } from './served-model.js';

const FORMS = ['dataframe_split', 'dataframe_records', 'instances', 'inputs'] as const;

export function readInvocation(body: unknown, model: ServedModel): unknown {
  const given = objectOf(body, 'the body');
  const forms = FORMS.filter((form) => Object.hasOwn(given, form));
  const [form] = forms;
  if (form === undefined || forms.length > 1)
    throw new HttpError(400, 'BODY_INVALID', `the body must have exactly one of ${FORMS.join(', ')}`);
  const value = given[form];
  if (form === 'dataframe_split') {
    const { columns, data } = objectOf(value, form);
    const rows = listOf(data, 'dataframe_split.data');
    return columns === undefined
      ? fromRows(rows, model)
      : fromSplit(rows, listOf(columns, 'dataframe_split.columns'), model);
  }
  if (form !== 'dataframe_records' && isObject(value)) return fromColumns(value, model);
  return fromRows(listOf(value, form), model);
}

export function answerInvocation({ scores, threshold }: Scored): Plain {
  return { predictions: Array.from(scores, (score) => ({ score, label: score > threshold ? 1 : 0 })) };
}

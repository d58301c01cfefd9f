// By which rule a detector finds its threshold: the options that say so, the defaults, and what a model file keeps.
import { CurvadError, describe } from '../core/errors.js';
import { corrupt, type Model } from '../core/model-file/model-file.js';
import { number } from '../core/options.js';
import type { Steps } from '../core/steps.js';
import { cappedThreshold, contaminationThreshold, type Threshold, twoMeansThreshold } from './threshold.js';

/** Rules to choose from. */
export type ThresholdName = 'two-means' | 'capped' | 'native';

/** Options of every detector. */
export interface DetectorOptions {
  /**
   * Share of the training rows to call anomalies, in (0, 0.5]: the threshold is numpy's percentile of their
   * scores, and anomalies are strictly above it, so that ties at the threshold make them fewer.
   */
  contamination?: number;
  /**
   * Where normal ends, without `contamination`; scores strictly above it are anomalies. 'two-means': where K-means with
   * two clusters parts the training scores, which on smooth data is the whole rim of a cloud. 'capped': there, or at
   * their 95th percentile if that is higher, so that at most about 5 % of rows like the training rows are flagged.
   * 'native': where the method itself has its border (OneClassSVM 0, but for its tolerance; IsolationForest 0.5; LOF 1.5). Or a number.
   * Default: CAD 'two-means', OneClassSVM 'native', all others 'capped'.
   */
  threshold?: ThresholdName | number;
  /** The largest share of the training rows that 'capped' flags, in (0, 0.5]. Default 0.05. */
  cap?: number;
}

/** Those of them that every detector must list. */
export const THRESHOLD_OPTION_NAMES: ReadonlyArray<keyof DetectorOptions> = ['contamination', 'threshold', 'cap'];

/** How a threshold is found. */
export type ThresholdRule =
  | { readonly name: 'two-means' }
  /** `share`: the most that is flagged, or what is to be flagged, of the training rows. */
  | { readonly name: 'capped' | 'contamination'; readonly share: number }
  /** Known without scores. */
  | { readonly name: 'native' | 'fixed'; readonly value: number };

const NAMES: readonly ThresholdName[] = ['two-means', 'capped', 'native'];
const CAP = 0.05;

/** The rule that options ask for. `native` is the border that the method itself has, if it has one. */
export function thresholdRuleOf(
  options: Readonly<Record<string, unknown>>,
  usual: ThresholdName,
  native: number | undefined,
): ThresholdRule {
  const { threshold } = options;
  const contamination = shareOf(options['contamination'], 'contamination', 'CONTAMINATION_INVALID');
  const cap = shareOf(options['cap'], 'cap', 'THRESHOLD_INVALID');
  if (contamination !== undefined && (threshold !== undefined || cap !== undefined))
    throw invalid('contamination already says how many rows to flag: leave out threshold and cap, or contamination');
  if (contamination !== undefined) return { name: 'contamination', share: contamination };
  if (cap !== undefined && threshold !== undefined && threshold !== 'capped')
    throw invalid(`cap is for threshold 'capped', not for ${describe(threshold)}`);
  if (typeof threshold === 'number' && Number.isFinite(threshold)) return { name: 'fixed', value: threshold };
  const name = (threshold === undefined ? (cap === undefined ? usual : 'capped') : threshold) as ThresholdName;
  if (!NAMES.includes(name))
    throw invalid(`threshold must be one of ${NAMES.join(', ')} or a finite number, got ${describe(threshold)}`);
  if (name === 'two-means') return { name };
  if (name === 'capped') return { name, share: cap ?? CAP };
  if (native === undefined)
    throw invalid(
      "this detector has no border of its own: threshold 'native' is for OneClassSVM, IsolationForest and LOF",
    );
  return { name, value: native };
}

export function* findThreshold(scores: Float64Array, rule: ThresholdRule): Steps<Threshold> {
  switch (rule.name) {
    case 'two-means':
      return yield* twoMeansThreshold(scores);
    case 'capped':
      return yield* cappedThreshold(scores, rule.share);
    case 'contamination':
      return contaminationThreshold(scores, rule.share);
    default:
      return { value: rule.value, isDegenerate: areEqual(scores) };
  }
}

/** Whether there is nothing to tell scores apart by. */
export function areEqual(scores: Float64Array): boolean {
  return scores.every((score) => score === scores[0]);
}

/** Fields of a model file, beside the threshold itself. */
export function describeRule(rule: ThresholdRule): Model['fields'] {
  return {
    thresholdRule: rule.name,
    ...(rule.name === 'contamination' && { contamination: rule.share }),
    ...(rule.name === 'capped' && { cap: rule.share }),
  };
}

/** The options that give the rule in a model file. Files of earlier versions say nothing: it was two-means. */
export function ruleOptionsOf({ fields }: Model): Record<string, unknown> {
  const { thresholdRule = fields['contamination'] === undefined ? 'two-means' : 'contamination' } = fields;
  if (thresholdRule !== 'contamination' && Object.hasOwn(fields, 'contamination'))
    throw corrupt(`it has a contamination, which its threshold (${describe(thresholdRule)}) does not follow`);
  switch (thresholdRule) {
    case 'contamination':
      return { contamination: fields['contamination'] };
    case 'capped':
      return { threshold: 'capped', cap: fields['cap'] };
    case 'fixed':
      return { threshold: fields['threshold'] };
    case 'two-means':
    case 'native':
      return { threshold: thresholdRule };
    default:
      throw corrupt(`its threshold follows an unknown rule, ${describe(thresholdRule)}`);
  }
}

function shareOf(
  value: unknown,
  name: string,
  code: 'CONTAMINATION_INVALID' | 'THRESHOLD_INVALID',
): number | undefined {
  const isShare = (share: number): boolean => share > 0 && share <= 0.5;
  return number(value, name, 'a number above 0 and at most 0.5', isShare, code);
}

function invalid(message: string): CurvadError {
  return new CurvadError('THRESHOLD_INVALID', message);
}

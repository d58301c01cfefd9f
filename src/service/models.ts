// The models of a service, by name and version.
import { HttpError } from './http-error.js';
import { type ModelOptions, ServedModel } from './served-model.js';

export class Models {
  /** By name, then by version in order of insertion. */
  readonly #models = new Map<string, Map<string, ServedModel>>();

  /** Serves a model from now on; calls under way finish with the one they began with. */
  put(name: string, options: ModelOptions): ServedModel {
    const model = new ServedModel(name, options);
    const versions = this.#models.get(name) ?? new Map<string, ServedModel>();
    versions.delete(model.version);
    versions.set(model.version, model);
    this.#models.set(name, versions);
    return model;
  }

  delete(name: string, version?: string): boolean {
    const versions = this.#models.get(name);
    if (versions === undefined) return false;
    if (version === undefined) return this.#models.delete(name);
    const had = versions.delete(version);
    if (versions.size === 0) this.#models.delete(name);
    return had;
  }

  get names(): string[] {
    return [...this.#models.keys()];
  }

  versionsOf(name: string): string[] {
    return [...(this.#models.get(name)?.keys() ?? [])];
  }

  /** A model; without a version the latest one, without a name the only one. */
  get(name: string | undefined, version?: string): ServedModel {
    const named = name ?? (this.#models.size === 1 ? this.names[0] : undefined);
    if (named === undefined)
      throw new HttpError(400, 'MODEL_UNNAMED', `name one of the models: ?model=${this.names[0] ?? 'NAME'}`);
    const versions = this.#models.get(named);
    if (versions === undefined) throw new HttpError(404, 'MODEL_UNKNOWN', `there is no model ${quoted(named)}`);
    const model = versions.get(version ?? ([...versions.keys()].at(-1) as string));
    if (model === undefined)
      throw new HttpError(404, 'VERSION_UNKNOWN', `model ${quoted(named)} has no version ${quoted(version ?? '')}`);
    return model;
  }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

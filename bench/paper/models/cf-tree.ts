// The clustering feature tree of Birch (Zhang et al. 1996), as in scikit-learn: rows are absorbed one by one
// into the nearest subcluster unless that would grow beyond the threshold; a subcluster is only the number,
// sum and squared norms of its rows, from which its centre and radius follow.

/** Number, sum and squared norms of some rows. */
class Feature {
  count = 0;
  sum: Float64Array;
  squares = 0;
  center: Float64Array;
  child: Node | undefined;

  constructor(columns: number) {
    this.sum = new Float64Array(columns);
    this.center = new Float64Array(columns);
  }

  static ofRow(row: Float64Array): Feature {
    const feature = new Feature(row.length);
    feature.count = 1;
    feature.sum = feature.center = row.slice();
    feature.squares = squaredNorm(row);
    return feature;
  }

  add(other: Feature): void {
    this.count += other.count;
    this.sum = this.sum.map((value, j) => value + (other.sum[j] as number));
    this.squares += other.squares;
    this.center = this.sum.map((value) => value / this.count);
  }

  /** Absorbs another unless the radius would exceed the threshold; tells whether it did. */
  absorb(other: Feature, threshold: number): boolean {
    const merged = new Feature(this.sum.length);
    merged.add(this);
    merged.add(other);
    const squaredRadius = merged.squares / merged.count - squaredNorm(merged.center);
    if (squaredRadius > threshold ** 2) return false;
    this.add(other);
    return true;
  }
}

/** Up to `branching` features: subclusters in a leaf, otherwise each the sum of a node below. */
class Node {
  readonly features: Feature[];

  constructor(features: Feature[]) {
    this.features = features;
  }

  /** Adds a feature; true if the node has grown too large by it and must be split. */
  insert(added: Feature, threshold: number, branching: number): boolean {
    const nearest = this.#nearest(added);
    if (nearest === undefined) this.features.push(added);
    else if (nearest.child !== undefined) {
      if (nearest.child.insert(added, threshold, branching)) {
        const [first, second] = nearest.child.split();
        this.features[this.features.indexOf(nearest)] = first;
        this.features.push(second);
      } else nearest.add(added);
    } else if (!nearest.absorb(added, threshold)) this.features.push(added);
    return this.features.length > branching;
  }

  /** Parts the features by which of the two that lie farthest apart is nearer. */
  split(): [Feature, Feature] {
    let pair: [number, number] = [0, 0];
    let farthest = Number.NEGATIVE_INFINITY;
    this.features.forEach((a, i) => {
      this.features.forEach((b, j) => {
        const distance = i === j ? 0 : squaredDistance(a.center, b.center);
        if (distance > farthest) [farthest, pair] = [distance, [i, j]];
      });
    });
    const [one, other] = pair.map((index) => (this.features[index] as Feature).center) as [Float64Array, Float64Array];
    const isFirst = ({ center }: Feature, index: number) =>
      index === pair[0] || squaredDistance(center, one) < squaredDistance(center, other);
    const first = this.features.filter((feature, i) => isFirst(feature, i));
    const second = this.features.filter((feature, i) => !isFirst(feature, i));
    return [above(new Node(first)), above(new Node(second))];
  }

  /** The subclusters below, leaf after leaf. */
  subclusters(): Feature[] {
    return this.features.flatMap((feature) => feature.child?.subclusters() ?? [feature]);
  }

  #nearest(added: Feature): Feature | undefined {
    let nearest: Feature | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const feature of this.features) {
      const distance = squaredNorm(feature.center) - 2 * product(feature.center, added.center);
      if (distance < least) [nearest, least] = [feature, distance];
    }
    return nearest;
  }
}

/** The feature that stands for a node. */
function above(node: Node): Feature {
  const feature = new Feature(node.features[0]?.sum.length ?? 0);
  for (const below of node.features) feature.add(below);
  feature.child = node;
  return feature;
}

/** The centres of the subclusters that rows fall into, in this order. */
export function subclusterCenters(rows: readonly Float64Array[], threshold: number, branching: number): Float64Array[] {
  let root = new Node([]);
  for (const row of rows) {
    if (root.insert(Feature.ofRow(row), threshold, branching)) root = new Node(root.split());
  }
  return root.subclusters().map(({ center }) => center);
}

function product(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += (x[j] as number) * (y[j] as number);
  return sum;
}

function squaredNorm(x: Float64Array): number {
  return product(x, x);
}

/** By way of the norms, as scikit-learn; rounding must not make it negative. */
function squaredDistance(x: Float64Array, y: Float64Array): number {
  return Math.max(0, squaredNorm(x) - 2 * product(x, y) + squaredNorm(y));
}

// For rollup and esbuild: K-means without the three ways of ml-kmeans to choose first centres, and without what its
// results can tell beside the new ones. curvad gives the centres itself (src/detectors/threshold.ts), and asks for no
// more; but all this would bring the Matrix class and the FFT of the ml libraries along, three quarters of what a
// thread would have to read.

const IMPORTER = /[\\/]ml-kmeans[\\/]lib[\\/][^\\/]+\.js$/;

/** What comes in place of files of ml-kmeans. */
const INSTEAD = {
  './initialization.js': `function refuse() {
  throw new Error('this build of curvad starts K-means from centres it is given');
}
export { refuse as kmeanspp, refuse as mostDistant, refuse as random };`,
  './KMeansResult.js': `export class KMeansResult {
  constructor(_, centroids, converged) {
    this.centroids = centroids;
    this.converged = converged;
  }
}`,
};

const isReplaced = (source, importer) => source in INSTEAD && IMPORTER.test(importer ?? '');

export function kmeansFromGivenCentres() {
  const PREFIX = '\0kmeans-from-given-centres:';
  return {
    name: 'kmeans-from-given-centres',
    resolveId: (source, importer) => (isReplaced(source, importer) ? PREFIX + source : null),
    load: (id) => (id.startsWith(PREFIX) ? { code: INSTEAD[id.slice(PREFIX.length)], map: { mappings: '' } } : null),
  };
}

/** The same for esbuild. */
export const kmeansFromGivenCentresForEsbuild = {
  name: 'kmeans-from-given-centres',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ path, importer }) =>
      isReplaced(path, importer) ? { path, namespace: 'given-centres' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'given-centres' }, ({ path }) => ({ contents: INSTEAD[path] }));
  },
};

// For rollup and esbuild: K-means without the three ways of ml-kmeans to choose first centres. curvad gives
// the centres itself (src/detectors/threshold.ts), so that they never run; but they bring the Matrix class
// and the FFT of the ml libraries along, three quarters of what a thread would have to read.

const IMPORTED = /^\.\/initialization\.js$/;
const IMPORTER = /[\\/]ml-kmeans[\\/]lib[\\/][^\\/]+\.js$/;

const STUB = `function refuse() {
  throw new Error('this build of curvad starts K-means from centres it is given');
}
export { refuse as kmeanspp, refuse as mostDistant, refuse as random };`;

export function kmeansFromGivenCentres() {
  const id = '\0kmeans-from-given-centres';
  return {
    name: 'kmeans-from-given-centres',
    resolveId: (source, importer) => (IMPORTED.test(source) && IMPORTER.test(importer ?? '') ? id : null),
    load: (loaded) => (loaded === id ? { code: STUB, map: { mappings: '' } } : null),
  };
}

/** The same for esbuild, which also has to be told that the libraries do nothing when they are imported. */
export const kmeansFromGivenCentresForEsbuild = {
  name: 'kmeans-from-given-centres',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: IMPORTED }, ({ importer }) =>
      IMPORTER.test(importer) ? { path: 'initialization', namespace: 'given-centres' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'given-centres' }, () => ({ contents: STUB }));
    onResolve({ filter: /^(ml-spectra-processing|fft\.js)/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved') return null;
      const { importer, namespace, resolveDir, kind } = from;
      const found = await resolve(path, { importer, namespace, resolveDir, kind, pluginData: 'resolved' });
      return { path: found.path, sideEffects: false };
    });
  },
};

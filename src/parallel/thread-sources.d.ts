// The build turns `curvad-thread:<file of src/detectors>` into the text a thread of that detector runs.
declare module 'curvad-thread:*' {
  export const source: string;
}

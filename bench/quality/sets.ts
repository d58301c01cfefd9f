// The public anomaly sets that detectors are ranked on: those in CURVAD_DATA, or some of them (SETS=wine,letter).

export const SETS = (
  process.env['SETS'] ??
  'optdigits,arrhythmia,wine,musk,letter,cardio,thyroid,pendigits,satimage-2,mammography,breastw,Ionosphere,vowels,WDBC,PageBlocks'
).split(',');

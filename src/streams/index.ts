// Detectors that learn from a stream, row by row.
export { SeriesDetector, type SeriesDetectorOptions } from './series-detector.js';
export { SlidingWindow, type SlidingWindowOptions, type WindowDetector } from './sliding-window.js';

// What a figure is: a picture for a file and what to say under it.

export interface Figure {
  /** The name of its files, without an ending. */
  readonly name: string;
  readonly svg: string;
  /** One paragraph. */
  readonly caption: string;
}

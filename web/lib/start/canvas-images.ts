/** What was last drawn on a canvas, as a data URL: a copy of its element is empty. */
export const canvasPictures = new WeakMap<HTMLCanvasElement, string>()

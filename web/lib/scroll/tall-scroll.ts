/**
 * No browser lays out an element of more than 2^25 pixels, Firefox none of more than about 17.8 million; a hundred thousand pictures one
 * below the other are taller. The box of such content stays at this height.
 */
export const TALLEST = 16_000_000

/** At either end of the box, content and box move pixel for pixel, so that the ends are those of the content. */
const EDGE = 1_000_000
/** Closer to an end of the box than this, while the content goes on, the box moves on under the content. */
const RESERVE = EDGE / 2
/** Pixels in one step that no finger and no wheel makes: a jump, or the scrollbar. */
const FAR = 10_000

/** In pixels, of the content and of the screen. */
export interface Size {
  height: number
  view: number
}

/** Where the box is scrolled to, and where the content is by that. */
export interface Position {
  box: number
  top: number
}

export const boxHeight = (height: number): number => Math.min(height, TALLEST)

/**
 * Scrolls content that is taller than its box can be. What is near is moved to pixel for pixel; after a jump the box stands where the
 * content does, in proportion. `shift` is how much of the content lies above the box.
 */
export function createTallScroll() {
  let shift = 0
  let last = 0
  const settle = (box: number, top: number): Position => {
    shift = top - box
    last = box
    return { box, top }
  }
  return {
    shift: () => shift,
    /** Where the content is, the box being scrolled to `box` by whatever scrolls; the box may have to move on. */
    read(box: number, size: Size): Position {
      const room = roomOf(size)
      if (room === 0) return settle(box, box)
      if (Math.abs(box - last) > FAR) return settle(box, topOf(box, room))
      return hold(box, box + clamp(shift, 0, room), size, settle)
    },
    /** Where the box has to be for the content to be at `top`. */
    move(top: number, size: Size): Position {
      const room = roomOf(size)
      if (room === 0) return settle(top, top)
      if (Math.abs(top - shift - last) > FAR) return settle(boxOf(top, room), top)
      return hold(top - clamp(shift, 0, room), top, size, settle)
    },
  }
}

/** Stays pixel for pixel as long as the box does not end before the content does. */
function hold(box: number, top: number, size: Size, settle: (box: number, top: number) => Position): Position {
  const room = roomOf(size)
  const short = (top > box && box < RESERVE) || (top - box < room && TALLEST - size.view - box < RESERVE)
  return settle(short ? boxOf(top, room) : box, top)
}

const roomOf = ({ height }: Size): number => Math.max(0, height - TALLEST)

const MIDDLE = TALLEST - 2 * EDGE

function topOf(box: number, room: number): number {
  return box + room * clamp((box - EDGE) / MIDDLE, 0, 1)
}

function boxOf(top: number, room: number): number {
  return top - room * clamp((top - EDGE) / (MIDDLE + room), 0, 1)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

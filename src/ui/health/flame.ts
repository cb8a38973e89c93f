/** Stacks to the boxes of a flame graph: outermost frame at the top, as wide as its share of the samples. */
export interface FoldedStack {
  readonly samples: number
  /** Innermost frame first. */
  readonly frames: readonly string[]
}

export interface FlameBox {
  readonly frame: string
  /** From the outermost frame, 0. */
  readonly depth: number
  /** Shares of all samples, from 0 to 1. */
  readonly left: number
  readonly width: number
  readonly samples: number
}

interface Node {
  readonly frame: string
  samples: number
  readonly children: Map<string, Node>
}

/** Narrower boxes cannot be seen. */
const minWidth = 0.002
const maxDepth = 60

export function flameBoxes(stacks: readonly FoldedStack[]): FlameBox[] {
  const root: Node = { frame: '', samples: 0, children: new Map() }
  for (const { samples, frames } of stacks) {
    root.samples += samples
    let node = root
    for (const frame of frames.slice(-maxDepth).toReversed()) {
      let child = node.children.get(frame)
      if (child === undefined) {
        child = { frame, samples: 0, children: new Map() }
        node.children.set(frame, child)
      }
      child.samples += samples
      node = child
    }
  }
  const boxes: FlameBox[] = []
  const place = ({ children }: Node, depth: number, start: number): void => {
    let left = start
    for (const child of [...children.values()].sort((a, b) => b.samples - a.samples)) {
      const width = child.samples / root.samples
      if (width >= minWidth) {
        boxes.push({ frame: child.frame, depth, left, width, samples: child.samples })
        place(child, depth + 1, left)
      }
      left += width
    }
  }
  if (root.samples > 0) place(root, 0, 0)
  return boxes
}

/** The name of the function alone: `run (file:1:2)` is `run`. */
export function functionOf(frame: string): string {
  return frame.replace(/ \([^()]*\)$/, '')
}

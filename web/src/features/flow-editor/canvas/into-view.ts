import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { useNodesInitialized, type Viewport } from 'reactflow'
import type { Coordinates } from '../state/node-graph.ts'
import type { Box } from './route.ts'

/** Of most nodes, with their outputs. */
const nodeSize = { width: 240, height: 135 }
const marginPx = 24
/** Below a step, of the name of an output. */
const namePx = 24

export const shownBox = (position: Coordinates, measured: number | null | undefined): Box => ({
  ...position,
  width: nodeSize.width,
  height: measured ? measured + namePx : nodeSize.height,
})

/** How far the drawing has to move for a node of these coordinates to be seen whole, beside the minimap; [0, 0] where it is. */
export const moveIntoView = ({ x, y, width, height }: Box, { x: left, y: top, zoom }: Viewport, pane: HTMLElement) => {
  const [fromX, fromY] = [x * zoom + left, y * zoom + top]
  const [toX, toY] = [fromX + width * zoom, fromY + height * zoom]
  const into = (from: number, to: number, end: number) =>
    from < marginPx ? marginPx - from : Math.min(0, end - marginPx - to)
  const [byX, byY] = [into(fromX, toX, pane.clientWidth), into(fromY, toY, pane.clientHeight)]
  const map = pane.querySelector('.react-flow__minimap')?.getBoundingClientRect()
  if (!map || map.width === 0) return [byX, byY] as const
  const origin = pane.getBoundingClientRect()
  const isUnderMap = toX + byX > map.left - origin.left && toY + byY > map.top - origin.top
  return [byX, isUnderMap ? map.top - origin.top - marginPx - toY : byY] as const
}

/** A drawing too large for the pane begins at its top, as it is read. */
export const fromTheTop = (view: Viewport, bounds: Box, pane: HTMLElement): Viewport => {
  const isTooHigh = bounds.height * view.zoom > pane.clientHeight
  return isTooHigh ? { ...view, y: marginPx - bounds.y * view.zoom } : view
}

/** Once the nodes are measured. */
export const useFirstFit = (fit: () => void) => {
  const isMeasured = useNodesInitialized()
  const isDone = useRef(false)
  useEffect(() => {
    if (!isMeasured || isDone.current) return
    isDone.current = true
    fit()
  }, [isMeasured, fit])
}

/** The browser scrolls a focused step into view, which would move the drawing beside its own coordinates. */
export const focusedInView =
  (pane: RefObject<HTMLDivElement | null>, reveal: (nodeId: string) => void) =>
  ({ target }: FocusEvent) => {
    const step = target.closest<HTMLElement>('[data-step]')
    if (!step?.dataset.step) return
    for (const element of pane.current?.querySelectorAll('[class*="react-flow"]') ?? []) {
      if (element.scrollTop !== 0) element.scrollTop = 0
      if (element.scrollLeft !== 0) element.scrollLeft = 0
    }
    if (step.matches(':focus-visible')) reveal(step.dataset.step)
  }

import { createContext, memo, useContext, useMemo } from 'react'
import { BaseEdge, type EdgeProps, Position } from 'reactflow'
import { type Box, labelAt, pathOf, routed, type Side } from './route.ts'

/** The steps of the drawing; a new list when a step came to rest elsewhere. */
export const Boxes = createContext<readonly Box[]>([])

export interface EdgeData {
  /** Among the outputs on one side of the step. */
  lane: number
}

const sides: Record<Position, Side> = {
  [Position.Left]: 'left',
  [Position.Right]: 'right',
  [Position.Bottom]: 'bottom',
  [Position.Top]: 'bottom',
}

export const RoutedEdge = memo((edge: EdgeProps<EdgeData>) => {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, label, markerEnd, data } = edge
  const boxes = useContext(Boxes)
  const lane = data?.lane ?? 0
  const points = useMemo(
    () => routed({ x: sourceX, y: sourceY }, sides[sourcePosition], { x: targetX, y: targetY }, boxes, lane),
    [sourceX, sourceY, sourcePosition, targetX, targetY, boxes, lane],
  )
  const { x, y } = labelAt(points)
  return (
    <BaseEdge
      path={pathOf(points)}
      label={label}
      labelX={x}
      labelY={y}
      labelBgPadding={[4, 2]}
      labelBgBorderRadius={4}
      {...(markerEnd !== undefined && { markerEnd })}
    />
  )
})
RoutedEdge.displayName = 'RoutedEdge'

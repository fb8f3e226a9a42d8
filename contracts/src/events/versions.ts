/**
 * How often an event's stored shape has changed. A type that is not listed has version 1. When a shape changes: raise its
 * version here, add the way from every retired version straight to today's, and keep a golden file of each.
 */
export const schemaVersions: Record<string, number> = {}

/** By type and retired version: the function from that stored shape to today's. */
export type RetiredShapes = Record<string, Record<number, (data: unknown) => unknown>>

export const retiredShapes: RetiredShapes = {}

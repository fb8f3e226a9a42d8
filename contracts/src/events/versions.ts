/** Unlisted types have version 1. On a change: raise it, upcast every retired version straight to today's, keep golden files. */
export const schemaVersions: Record<string, number> = {}

export type RetiredShapes = Record<string, Record<number, (data: unknown) => unknown>>

export const retiredShapes: RetiredShapes = {}

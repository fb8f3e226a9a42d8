/** Reads some bytes of a file, fewer where it ends. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>

/** Returns fewer bytes at the end of the file. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>

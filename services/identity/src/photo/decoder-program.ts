/**
 * stdin: the picture; stdout: a WebP square per size, each after its length in four bytes. A string, to survive bundling. Arguments: path
 * of sharp, maximum pixels, sizes.
 */
export const decoderProgram = `
const [path, maxPixels, ...sizes] = process.argv.slice(1)
const sharp = require(path)
sharp.cache(false)
sharp.concurrency(1)
// Whatever else it could open: drawings, documents, further pictures that a file names.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'] })

const cover = (picture, size) => picture.resize(size, size, { fit: 'cover', position: 'centre' })

const main = async () => {
  const chunks = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const limits = { limitInputPixels: Number(maxPixels), failOn: 'error', pages: 1, sequentialRead: true }
  const photo = sharp(Buffer.concat(chunks), limits).autoOrient()
  const largest = Math.max(...sizes.map(Number))
  // Decoded once; the rest is made of these few pixels.
  const { data, info: raw } = await cover(photo, largest).raw().toBuffer({ resolveWithObject: true })
  for (const size of sizes) {
    const square = await cover(sharp(data, { raw }), Number(size)).webp({ quality: 82 }).toBuffer()
    const length = Buffer.alloc(4)
    length.writeUInt32BE(square.length)
    process.stdout.write(Buffer.concat([length, square]))
  }
}
main().catch((error) => {
  process.stderr.write(String(error))
  process.exitCode = 1
})
`

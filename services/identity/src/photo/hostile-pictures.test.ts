import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { builtProgram } from '@prosa/kernel/testing/built-program'
import { claimingSize, gif, packedChunk, png, withScans, withSegments } from '@prosa/kernel/testing/hostile-pictures'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { z } from 'zod'

const memory = z.object({ resident: z.number(), peak: z.number() })
const report = z.object({
  before: memory,
  after: memory,
  outcomes: z.record(z.string(), z.string()),
  atOnce: z.array(z.string()),
  pictures: z.number(),
})

const profileParts = Array.from({ length: 64 }, (_, at) =>
  Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([at + 1, 64]), Buffer.alloc(65_000, 7)]),
)

/** A process each, some hundred milliseconds. */
const atOnce = shortOrLong(2, 40)

/** Megabytes. */
const unpacked = 100

const hostile = async (): Promise<Record<string, [Buffer, string]>> => {
  const noise = { type: 'gaussian', mean: 99, sigma: 40 } as const
  const plain = sharp({ create: { width: 600, height: 400, channels: 3, background: 'red', noise } })
  const photo = await plain.jpeg().toBuffer()
  const progressive = await plain.jpeg({ progressive: true }).toBuffer()
  const large = { width: 3900, height: 3900, channels: 3, background: '#0b6b57' } as const
  const largeProgressive = await sharp({ create: large }).jpeg({ progressive: true, quality: 60 }).toBuffer()
  return {
    'an ordinary one': [photo, 'squares'],
    'a GIF of 35 bytes and 6,300 x 6,300 pixels': [gif(6300, 6300), 'photo_too_many_pixels'],
    'a GIF whose frame is larger than its screen': [
      gif(1, 1, { frameWidth: 6300, frameHeight: 6300 }),
      'photo_too_many_pixels',
    ],
    'a GIF of 4 megapixels': [gif(2000, 2000), 'squares'],
    'a GIF of 4 megapixels and 5 frames': [gif(2000, 2000, { frames: 5 }), 'photo_too_many_pixels'],
    'a GIF of 60,000 frames': [gif(300, 300, { frames: 60_000 }), 'photo_too_many_pixels'],
    'a PNG of 4,000 x 4,000 pixels': [png(4000, 4000), 'squares'],
    'a PNG of 4,001 x 4,000 pixels': [png(4001, 4000), 'photo_too_many_pixels'],
    'a PNG that is not read line by line': [
      png(4000, 4000, { bitDepth: 16, colourType: 6, interlaced: true }),
      'squares',
    ],
    'a PNG of 30,000 x 1 pixels': [png(30_000, 1), 'squares'],
    'a PNG of 1 x 30,000 pixels': [png(1, 30_000), 'squares'],
    'a PNG of 30,000 x 30,000 pixels': [png(30_000, 30_000, { lines: 1 }), 'photo_too_many_pixels'],
    'a PNG that ends early': [png(4000, 4000, { lines: 10 }), 'photo_broken'],
    'a PNG with a profile of 100 MB': [png(64, 64, { before: [packedChunk('iCCP', unpacked)] }), 'squares'],
    'a PNG with texts of 100 MB': [
      png(64, 64, { before: [packedChunk('zTXt', unpacked), packedChunk('iTXt', unpacked)] }),
      'squares',
    ],
    'a JPEG that claims 65,500 x 65,500 pixels': [claimingSize(photo, 65_500, 65_500), 'photo_too_many_pixels'],
    'a progressive JPEG that claims 4,000 x 4,000 pixels': [claimingSize(progressive, 4000, 4000), 'squares'],
    'a progressive JPEG of 15 megapixels': [largeProgressive, 'squares'],
    'a JPEG of 5,000 scans': [withScans(largeProgressive, 5000), 'photo_broken'],
    'a JPEG with 4 MB of metadata': [
      withSegments(
        photo,
        0xe1,
        Array.from({ length: 64 }, () => Buffer.alloc(65_000, 'Exif\0\0MM')),
      ),
      'squares',
    ],
    'a JPEG with a false profile of 4 MB': [withSegments(photo, 0xe2, profileParts), 'squares'],
  }
}

it('hostile pictures are refused or made small, and leave no memory taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-pictures-'))
  try {
    const pictures = Object.entries(await hostile())
    for (const [name, [bytes]] of pictures) await writeFile(join(folder, name), bytes)
    const program = await builtProgram(join(import.meta.dirname, '../testing/picture-process.ts'))
    const child = spawn(
      process.execPath,
      [program, folder, 'an ordinary one', String(shortOrLong(1, 3)), String(atOnce)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const { before, after, outcomes, atOnce: busy, pictures: count } = report.parse(JSON.parse(output))
    expect(outcomes).toEqual(Object.fromEntries(pictures.map(([name, [, outcome]]) => [name, outcome])))
    expect(busy.filter((outcome) => outcome === 'photos_busy')).toHaveLength(Math.max(0, atOnce - 17))
    expect(busy.filter((outcome) => outcome === 'squares')).toHaveLength(Math.min(atOnce, 17))
    expect(count).toBeGreaterThanOrEqual(shortOrLong(pictures.length, 50))
    expect(after.resident - before.resident, JSON.stringify({ before, after })).toBeLessThan(150)
    expect(after.peak - before.peak, JSON.stringify({ before, after })).toBeLessThan(250)
  } finally {
    await rm(folder, { recursive: true })
  }
}, 300_000)

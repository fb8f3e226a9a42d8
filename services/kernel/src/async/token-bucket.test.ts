import { describe, expect, it } from 'vitest'
import { tokenBucket } from './token-bucket.ts'

const bucketAt = (start = 1000) => {
  const clock = { at: start }
  const bucket = tokenBucket({ burst: 3, interval: 100 }, () => clock.at)
  const taken = () => {
    let count = 0
    for (; bucket.wait() === 0; count++) bucket.take()
    return count
  }
  return { clock, bucket, taken }
}

describe('a token bucket', () => {
  it('lets a burst through, then one in each interval', () => {
    const { clock, bucket, taken } = bucketAt()
    expect(taken()).toBe(3)
    expect(bucket.wait()).toBe(100)
    clock.at += 60
    expect(bucket.wait()).toBe(40)
    clock.at += 40
    expect(taken()).toBe(1)
    clock.at += 250
    expect(taken()).toBe(2)
  })

  it('saves up no more than one burst', () => {
    const { clock, taken } = bucketAt()
    taken()
    clock.at += 1_000_000
    expect(taken()).toBe(3)
  })

  it('gives nothing while it is blocked, whatever it has, and the longer of two blocks counts', () => {
    const { clock, bucket, taken } = bucketAt()
    bucket.block(500)
    bucket.block(50)
    expect(bucket.wait()).toBe(500)
    clock.at += 499
    expect(taken()).toBe(0)
    clock.at += 1
    expect(taken()).toBe(3)
  })

  it('refuses what finds no token, and takes one otherwise', () => {
    const { clock, bucket } = bucketAt()
    expect([1, 2, 3, 4].map(() => bucket.tryTake())).toEqual([true, true, true, false])
    clock.at += 100
    expect([bucket.tryTake(), bucket.tryTake()]).toEqual([true, false])
  })

  it('is not upset by a clock that is set back', () => {
    const { clock, taken } = bucketAt()
    taken()
    clock.at -= 500
    expect(taken()).toBe(0)
    clock.at += 100
    expect(taken()).toBe(1)
  })
})

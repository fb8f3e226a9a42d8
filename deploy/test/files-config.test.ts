import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startS3Server } from '@prosa/kernel/files/testing/s3-server'
import { ConfigError } from '@prosa/kernel/process/config-error'
import { openFiles } from '@prosa/kernel/process/open-files'
import { readConfig } from '@prosa/product/process/config'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const s3 = {
  PROSA_S3_ENDPOINT: 'https://s3.sa-east-1.amazonaws.com',
  PROSA_S3_REGION: 'sa-east-1',
  PROSA_S3_BUCKET: 'prosa-files',
  PROSA_S3_ACCESS_KEY_ID: 'id',
  PROSA_S3_SECRET_ACCESS_KEY: 'secret',
}

describe('files of messages', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-config-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('are kept in the data folder unless another is named', async () => {
    const elsewhere = join(folder, 'elsewhere')
    for (const variables of [{}, { PROSA_FILES_DIR: elsewhere }]) {
      const files = openFiles(readConfig('development', { PROSA_DATA_DIR: folder, ...variables }))
      await files.put('a/b', Readable.from([Buffer.from('x')]), 10)
    }
    expect(await readdir(join(folder, 'files/a'))).toEqual(['b'])
    expect(await readdir(join(elsewhere, 'a'))).toEqual(['b'])
  })

  it('are kept in S3 where it is set', async () => {
    const server = await startS3Server()
    try {
      const { endpoint, region, bucket, accessKeyId, secretAccessKey } = server.address
      const files = openFiles(
        readConfig('development', {
          PROSA_DATA_DIR: folder,
          PROSA_S3_ENDPOINT: endpoint,
          PROSA_S3_REGION: region,
          PROSA_S3_BUCKET: bucket,
          PROSA_S3_ACCESS_KEY_ID: accessKeyId,
          PROSA_S3_SECRET_ACCESS_KEY: secretAccessKey,
        }),
      )
      await files.put('a/b', Readable.from([Buffer.from('x')]), 10)
      expect([...server.files.keys()]).toEqual(['a/b'])
    } finally {
      await server.stop()
    }
  })

  it.each(Object.keys(s3))('are not kept in S3 without %s, and the host reports it instead of starting', (name) => {
    expect(readConfig('development', s3).s3).toMatchObject({ bucket: 'prosa-files' })
    expect(() => readConfig('development', { ...s3, [name]: '' })).toThrow(ConfigError)
  })
})

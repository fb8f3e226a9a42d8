import { flowSecretSubject } from '@prosa/contracts/events/subjects'
import { decrypt, encrypt } from '@prosa/kernel/privacy/aes-gcm'
import type { SubjectKeys } from '@prosa/kernel/privacy/subject-keys'
import type { FlowSecrets } from './flow-secrets.ts'

const contextOf = (tenant: string, name: string) => `flow secret ${tenant} ${name}`

/** Each tenant has a key of its own for them: another one's bytes, or another name's, cannot be decrypted in their place. */
export const encryptedSecrets = (keys: Pick<SubjectKeys, 'toEncrypt' | 'toDecrypt'>) => ({
  async encrypt(tenant: string, name: string, value: string): Promise<{ encrypted: string; keyId: string }> {
    const subject = flowSecretSubject(tenant)
    const key = (await keys.toEncrypt([subject])).get(subject)
    if (!key) throw new Error('the key of secrets is missing')
    return { encrypted: encrypt(key.key, value, contextOf(tenant, name)).toString('base64'), keyId: key.id }
  },

  /** Those of `names` that exist; none for an erased tenant. */
  async decrypt(tenant: string, secrets: FlowSecrets, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const wanted = names.flatMap((name) => {
      const stored = secrets.get(name)
      return stored ? [{ name, ...stored }] : []
    })
    const found = await keys.toDecrypt([...new Set(wanted.map(({ keyId }) => keyId))])
    return new Map(
      wanted.flatMap(({ name, encrypted, keyId }) => {
        const key = found.get(keyId)
        if (!key || key === 'erased') return []
        return [[name, decrypt(key.key, Buffer.from(encrypted, 'base64'), contextOf(tenant, name)).toString()]]
      }),
    )
  },
})

export type EncryptedSecrets = ReturnType<typeof encryptedSecrets>

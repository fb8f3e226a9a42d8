import type { KeyPair } from '@whiskeysockets/baileys'

export interface KeyPairState {
  private: string
  public: string
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

export const saveKeyPair = (pair: KeyPair): KeyPairState => ({
  private: base64(pair.private),
  public: base64(pair.public),
})

export const loadKeyPair = (state: KeyPairState): KeyPair => ({
  private: Buffer.from(state.private, 'base64'),
  public: Buffer.from(state.public, 'base64'),
})

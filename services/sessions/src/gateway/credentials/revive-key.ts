import { proto, type SignalDataTypeMap } from '@whiskeysockets/baileys'

/** The only protobuf key type; JSON does not mark it. */
export const reviveKey = <T extends keyof SignalDataTypeMap>(type: T, value: unknown): SignalDataTypeMap[T] =>
  (type === 'app-state-sync-key'
    ? proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>)
    : value) as SignalDataTypeMap[T]

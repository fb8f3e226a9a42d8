import { proto, type SignalDataTypeMap } from '@whiskeysockets/baileys'

/** JSON does not distinguish a protobuf message from its fields; this is the only type of key that is one. */
export const reviveKey = <T extends keyof SignalDataTypeMap>(type: T, value: unknown): SignalDataTypeMap[T] =>
  (type === 'app-state-sync-key'
    ? proto.Message.AppStateSyncKeyData.fromObject(value as Record<string, unknown>)
    : value) as SignalDataTypeMap[T]

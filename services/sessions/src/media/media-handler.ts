import { type CommandHandler, commandHandler } from '@prosa/kernel/domain/command-handler'
import type { Ports } from '@prosa/kernel/ports'
import { type MediaCommand, type MediaEvent, type MediaRefusal, type MediaState, media } from './media.ts'

export type MediaHandler = CommandHandler<MediaCommand, MediaEvent, MediaState, MediaRefusal>

export const mediaHandler = ({ store, codec, clock }: Pick<Ports, 'store' | 'codec' | 'clock'>): MediaHandler =>
  commandHandler({
    store,
    codec,
    clock,
    service: 'sessions',
    category: 'media',
    decider: media,
    foreign: 'media_not_found',
  })

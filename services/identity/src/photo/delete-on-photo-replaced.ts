import { photoFolder } from '@prosa/contracts/photo-file-name'
import { parseStream } from '@prosa/contracts/streams'
import type { Reactor } from '@prosa/kernel/consumers/reactors/reactor'
import type { Ports } from '@prosa/kernel/ports'

/** Deletes all files after erasure. */
export const deleteOnPhotoReplaced = ({ files }: Pick<Ports, 'files'>): Reactor => ({
  name: 'delete-on-photo-replaced',
  categories: ['user'],
  key: ({ stream }) => stream,
  on: {
    async ProfilePhotoChanged({ stream, data: { formerPhotoId } }) {
      if (formerPhotoId) await files.deleteAll(photoFolder(parseStream(stream).id, formerPhotoId))
    },
    ProfilePhotoRemoved: ({ stream, data }) => files.deleteAll(photoFolder(parseStream(stream).id, data.photoId)),
    UserErased: ({ stream }) => files.deleteAll(photoFolder(parseStream(stream).id)),
  },
})

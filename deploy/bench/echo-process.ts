import { createServer } from 'node:http'
import { Server } from 'socket.io'

/** Floor of pushes: a bare Socket.IO echo server. */
const http = createServer()
new Server(http).on('connection', (socket) => socket.on('echo', (stamp: number) => socket.emit('echo', stamp)))
http.listen(0, '127.0.0.1', () => {
  const address = http.address()
  if (address && typeof address === 'object') process.send?.(address.port)
})
process.once('disconnect', () => process.exit(0))

import { createServer } from 'node:http'
import { Server } from 'socket.io'

/** Floor of fan-out: a bare Socket.IO server that passes what one socket sends to all. */
const http = createServer()
const server = new Server(http, { serveClient: false })
server.on('connection', (socket) => socket.on('to all', (name: string) => server.emit('named', { contactId: name })))
http.listen(0, '127.0.0.1', 4096, () => {
  const address = http.address()
  if (address && typeof address === 'object') process.send?.(address.port)
})
process.once('disconnect', () => process.exit(0))

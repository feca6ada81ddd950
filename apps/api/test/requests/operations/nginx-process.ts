// The published nginx file (apps/api/deploy/nginx.conf) under a real nginx, with only its addresses replaced.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { findFreePort } from '../../infrastructure/processes/store-process.ts'
import { findProgram } from '../../process/start/find-program.ts'
import { ROOT } from '../../process/start/readme.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'

/** Path of nginx; undefined where it is not installed. */
export const nginxProgram = findProgram(
  ['nginx'],
  'a rolling restart behind nginx loses no call, and errors of nginx have the envelope',
  ['/usr/sbin', '/usr/local/sbin'],
)

const SERVER_LINE = '\tserver 127.0.0.1:8080 max_fails=1 fail_timeout=1s;\n'

/** nginx in front of these ports, until the test ends. Returns its base URL. */
export async function startNginx(upstreamPorts: readonly number[]): Promise<string> {
  const directory = await makeTemporaryDirectory()
  const port = await findFreePort()
  const published = await readFile(join(ROOT, 'apps/api/deploy/nginx.conf'), 'utf8')
  const site = published
    .replace(SERVER_LINE, upstreamPorts.map((one) => SERVER_LINE.replace('8080', String(one))).join(''))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  for (const one of upstreamPorts) {
    if (!site.includes(`127.0.0.1:${one} `)) throw new Error('nginx.conf has another upstream line by now.')
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  await writeFile(join(directory, 'site.conf'), site)
  await writeFile(
    join(directory, 'nginx.conf'),
    // As root, nginx would give its directories to another user, who may not enter ours.
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 2; pid ${directory}/pid;
    error_log stderr warn; events { worker_connections 4096; } http { access_log off; ${temporary.join(' ')} include ${directory}/site.conf; }`,
  )
  const child = spawn(nginxProgram!, ['-p', directory, '-c', join(directory, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (bytes) => (errors += bytes))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 1_000; attempt++, await sleep(20)) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`)
    const response = await fetch(`${url}/metrics`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response) return url
  }
  throw new Error(`nginx did not start: ${errors}`)
}

// One call of the API as a client makes it, for what is not itself measured.

import type { Api } from './api.ts'

/** Each poll is a call like any other on the measured server. More frequent polls would slow the measured work. */
const ASK_EVERY_MS = 10

interface JsonAnswer<T> {
  readonly data: T
}

export interface JobSeen {
  readonly id: string
  readonly status: string
  readonly result_count: number | null
  readonly error: { readonly message: string } | null
}

/** @throws {Error} when the answer is not a success. */
export async function call<T>(api: Api, key: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${api.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as JsonAnswer<T>).data
}

/** Starts a job and asks until it has ended. Resolves with the job and the seconds since it was accepted. */
export async function runJob(
  api: Api,
  key: string,
  path: string,
  body: unknown,
): Promise<{ readonly job: JobSeen; readonly seconds: number }> {
  const accepted = await call<{ readonly job_id: string }>(api, key, path, body)
  const acceptedAt = performance.now()
  for (;;) {
    const job = await call<JobSeen>(api, key, `/v1/jobs/${accepted.job_id}`)
    if (job.status === 'succeeded') return { job, seconds: (performance.now() - acceptedAt) / 1_000 }
    if (job.error) throw new Error(`the job did not succeed (${job.status}): ${job.error.message}`)
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
}

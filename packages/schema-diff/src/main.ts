#!/usr/bin/env node
import { run } from './cli.ts'

process.exitCode = await run(process.argv.slice(2), { write: console.log, complain: console.error })

#!/usr/bin/env node
// The command `lotline-mock`. Without a verb it starts the mock; `send` sends a webhook.

import { send } from './command/send.ts'
import { serve } from './command/serve.ts'

// `pnpm mock -- --port 4011` passes the dashes on.
const args = process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--')

void (args[0] === 'send' ? send(args.slice(1)) : serve(args))

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ReleaseRefusal } from '../refused.ts'
import { packageManager } from './package-manager.ts'

/**
 * Builds a package of the workspace (its `prepack`) and packs it as it would be published. Asks no registry.
 *
 * @param root the folder of the workspace
 * @param directory that of the package, from the root
 * @param destination where the tarball is put; must exist
 * @returns the path of the tarball
 * @throws ReleaseRefusal with what the build said, when it fails
 */
export async function packPackage(root: string, directory: string, destination: string): Promise<string> {
  const [command, ...args] = await packageManager(root)
  const folder = await mkdtemp(join(destination, '.packing-'))
  try {
    await promisify(execFile)(command, [...args, 'pack', '--pack-destination', folder], {
      cwd: join(root, directory),
      // The tree is what it is: nothing is installed on the way.
      env: { ...process.env, npm_config_verify_deps_before_run: 'false' },
    }).catch((error: Error & { stdout?: string; stderr?: string }) => {
      throw new ReleaseRefusal(
        `${directory} cannot be packed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
      )
    })
    const [name] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
    if (name === undefined) throw new Error(`pnpm pack created no tarball for ${directory}.`)
    const tarball = join(destination, name)
    await rename(join(folder, name), tarball)
    return tarball
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

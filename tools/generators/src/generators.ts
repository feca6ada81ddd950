import type { Generator } from './generator.ts'
import { datamodelCodeGenerator } from './generators/datamodel-code-generator.ts'
import { oapiCodegen } from './generators/oapi-codegen.ts'
import { openapiGeneratorJava } from './generators/openapi-generator-java.ts'
import { openapiGeneratorPython } from './generators/openapi-generator-python.ts'
import { openapiPythonClient } from './generators/openapi-python-client.ts'
import { openapiTypescript } from './generators/openapi-typescript.ts'

export const GENERATORS: readonly Generator[] = [
  openapiTypescript,
  openapiPythonClient,
  datamodelCodeGenerator,
  oapiCodegen,
  openapiGeneratorPython,
  openapiGeneratorJava,
]

/** The tools of the MCP server. */
export {
  createToolJudge,
  isChargeUnknown,
  type ToolCredits,
  type ToolError,
  type ToolJudge,
  toToolError,
  toToolResult,
} from './run-tool.ts'
export {
  type Arguments,
  type Content,
  cutToSize,
  MAX_RESULT_BYTES,
  resultSize,
  rowsThatFit,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  type ToolResult,
  type ToolTarget,
  toResult,
} from './tool.ts'
export { TOOLS } from './tools.ts'

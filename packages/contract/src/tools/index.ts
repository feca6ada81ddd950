/** The tools of the MCP server. */
export {
  type Arguments,
  type Content,
  cutToSize,
  MAX_RESULT_BYTES,
  rowsThatFit,
  type Tool,
  type ToolAnswer,
  type ToolCall,
  type ToolResult,
  toResult,
} from './tool.ts'
export { TOOLS } from './tools.ts'

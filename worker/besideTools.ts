// Where the rarely used files of the package are, other than the tools: beside them. Loaded with what first needs one.
import { toolsAddress } from './packaged';
import { addressOfTools } from './scripts';

/**
 * Empty where the worker's script has all of it inside.
 *
 * @param address  where the bundler put the file, if it put the tools somewhere
 */
export function besideTools(
  workerUrl: string | URL | undefined,
  file: string,
  address: () => string,
): string {
  const tools = addressOfTools(workerUrl);
  if (tools === '') return '';
  return tools === toolsAddress() ? address() : new URL(file, tools).href;
}

// Refs of any kind. In: a ref from props. Out: its value is set.
import type { Ref } from 'react';

export function setRef<T>(ref: Ref<T> | undefined, value: T | null): void {
  if (typeof ref === 'function') ref(value);
  else if (ref !== null && ref !== undefined) (ref as { current: T | null }).current = value;
}

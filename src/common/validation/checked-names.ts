import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** Returns the validators on the fields of a class. */
export function checksOf(type: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/** Returns the validated fields of a class, in the order of their declaration. */
export function checkedNamesOf(type: Type<object>): string[] {
  return [...new Set(checksOf(type).map(({ propertyName }) => propertyName))];
}

import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The validators on the fields of a class, grouped by field. */
export function checksOf(type: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/** The validated fields of a class, in the order of their declaration. */
export function checkedNamesOf(type: Type<object>): string[] {
  return [...new Set(checksOf(type).map(({ propertyName }) => propertyName))];
}

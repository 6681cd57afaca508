import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The checks on the fields of a class, those of one field after another. */
export function checksOf(type: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

/** The fields that a class knows, in the order of their declaration. */
export function checkedNamesOf(type: Type<object>): string[] {
  return [...new Set(checksOf(type).map(({ propertyName }) => propertyName))];
}

"""What the channels of delivery and of background sound say differently, so that a form is written
once for both where it asks the same (VoxMem, Tables 5 to 7)."""
